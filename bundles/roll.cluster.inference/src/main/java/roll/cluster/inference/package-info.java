/** Inference strategies of other nodes. */
@NullMarked
package roll.cluster.inference;

import org.jspecify.annotations.NullMarked;
