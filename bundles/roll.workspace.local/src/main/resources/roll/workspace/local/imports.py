# What all parts of the server need.
import fcntl, gc, resource, select, signal, socket, stat, time

