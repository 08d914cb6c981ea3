/** Tests of the Llama architecture. */
@NullMarked
package roll.model.llama;

import org.jspecify.annotations.NullMarked;
