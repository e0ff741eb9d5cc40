graph [
  Network "made by hand"
  directed 0
  node [
    id 0
    label "S&#227;o Paulo"
    Longitude -46.63611
    Internal 1
    Latitude -23.5475
  ]
  node [
    id 1
    label "?"
  ]
  edge [
    source 0
    target 1
    LinkSpeed "10"
    LinkSpeedUnits "G"
    LinkSpeedRaw 10000000000.0
    graphics [ line [ point [ x 0 y 1 ] ] ]
  ]
  edge [ source 0 target 1 ] # parallel
  edge [ source 1 target 1 ]
]
