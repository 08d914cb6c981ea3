/** Ranks of a model in training on several nodes of a run. */
@NullMarked
package roll.cluster.training;

import org.jspecify.annotations.NullMarked;
