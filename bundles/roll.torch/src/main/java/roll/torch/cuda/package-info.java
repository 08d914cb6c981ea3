/** What NVIDIA's libraries say of the cards of this machine. */
@NullMarked
package roll.torch.cuda;

import org.jspecify.annotations.NullMarked;
