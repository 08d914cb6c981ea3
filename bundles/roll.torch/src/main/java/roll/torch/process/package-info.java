/** What holds for the whole process: environment variables and switches of libtorch. */
@NullMarked
package roll.torch.process;

import org.jspecify.annotations.NullMarked;
