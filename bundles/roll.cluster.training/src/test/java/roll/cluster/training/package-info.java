/** Tests of ranks on several nodes. */
@NullMarked
package roll.cluster.training;

import org.jspecify.annotations.NullMarked;
