/** Tests of the compute layer. */
@NullMarked
package roll.torch;

import org.jspecify.annotations.NullMarked;
