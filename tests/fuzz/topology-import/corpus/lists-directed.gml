graph [ directed 1
 node [ id 0 label "A" graphics [ x 1.0 w 30 ] data [ lat 1 lon 2 ] ]
 node [ id 1 label "B" lat 3 lng 4 ]
 edge [ source 0 target 1 data [ latency "40 ms" capacity 10 ] ]
 edge [ source 1 target 0 rtt 80 loss "1 %" ] ]
