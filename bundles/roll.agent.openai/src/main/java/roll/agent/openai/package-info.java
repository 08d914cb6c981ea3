/** The agent {@code openai} for OpenAI-compatible endpoints. */
@NullMarked
package roll.agent.openai;

import org.jspecify.annotations.NullMarked;
