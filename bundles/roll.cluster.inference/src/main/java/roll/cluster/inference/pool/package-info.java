/** Session over several engines. */
@NullMarked
package roll.cluster.inference.pool;

import org.jspecify.annotations.NullMarked;
