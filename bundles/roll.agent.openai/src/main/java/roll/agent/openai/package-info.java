/** The agent {@code openai}: any endpoint that speaks OpenAI's chat completions. */
@NullMarked
package roll.agent.openai;

import org.jspecify.annotations.NullMarked;
