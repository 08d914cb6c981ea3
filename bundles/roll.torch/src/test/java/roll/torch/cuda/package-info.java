/** Tests of what NVIDIA's libraries are asked. */
@NullMarked
package roll.torch.cuda;

import org.jspecify.annotations.NullMarked;
