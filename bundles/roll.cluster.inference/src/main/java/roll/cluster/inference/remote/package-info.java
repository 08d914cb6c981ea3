/** The inference strategies of other nodes, as services here. */
@NullMarked
package roll.cluster.inference.remote;

import org.jspecify.annotations.NullMarked;
