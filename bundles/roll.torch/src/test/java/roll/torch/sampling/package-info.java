/** Tests of sampling. */
@NullMarked
package roll.torch.sampling;

import org.jspecify.annotations.NullMarked;
