/** Tests of the compute layer. */
@NullMarked
package roll.torch.parallel;

import org.jspecify.annotations.NullMarked;
