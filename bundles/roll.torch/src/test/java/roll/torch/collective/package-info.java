/** Tests of the compute layer. */
@NullMarked
package roll.torch.collective;

import org.jspecify.annotations.NullMarked;
