/** The local inference strategies, for other nodes. */
@NullMarked
package roll.cluster.inference.server;

import org.jspecify.annotations.NullMarked;
