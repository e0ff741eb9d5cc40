graph [ node [ id 0 Latitude nan Longitude 1e999 ] edge [ source 0 target 0 LinkSpeedRaw -1 ] ]
