/** A model behind OpenAI's interface. */
@NullMarked
package roll.serve;

import org.jspecify.annotations.NullMarked;
