/** Ranks of a model in processes. */
@NullMarked
package roll.torch.parallel;

import org.jspecify.annotations.NullMarked;
