/** The dialect of OpenAI's chat completions. */
@NullMarked
package roll.dialect.chat_completions;

import org.jspecify.annotations.NullMarked;
