/** Joining a run by a token. */
@NullMarked
package roll.cluster.nodes;

import org.jspecify.annotations.NullMarked;
