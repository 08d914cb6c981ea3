/** Tests of what NVIDIA's libraries are asked. */
@NullMarked
package roll.torch.foreign;

import org.jspecify.annotations.NullMarked;
