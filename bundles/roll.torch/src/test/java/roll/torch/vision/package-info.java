/** Tests of vision towers. */
@NullMarked
package roll.torch.vision;

import org.jspecify.annotations.NullMarked;
