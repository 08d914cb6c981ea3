/** A model behind HTTP interfaces of OpenAI and Anthropic. */
@NullMarked
package roll.serve;

import org.jspecify.annotations.NullMarked;
