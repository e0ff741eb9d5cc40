#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Starts commands of one node in another, which share files but no ssh: mpirun's "remote shell".
#   start-on-node.sh serve FOLDER ADDRESS      in the other node: runs the one command that comes
#   start-on-node.sh ADDRESS COMMAND...        what mpirun calls; the environment has FOLDER
if [ "$1" = serve ]; then
    mkfifo "$2/$3"
    read -r command < "$2/$3"
    exec sh -c "$command"
fi
address=$1
shift
while [ ! -p "$FOLDER/$address" ]; do sleep 0.1; done
echo "$*" > "$FOLDER/$address"
# mpirun takes the end of its remote shell for the end of the remote side.
exec sleep 1000
