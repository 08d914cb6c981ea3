/** The Llama 2 and 3 architecture. */
@NullMarked
package roll.model.llama;

import org.jspecify.annotations.NullMarked;
