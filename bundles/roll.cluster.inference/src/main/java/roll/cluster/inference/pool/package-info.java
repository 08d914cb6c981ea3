/** Several engines as one session. */
@NullMarked
package roll.cluster.inference.pool;

import org.jspecify.annotations.NullMarked;
