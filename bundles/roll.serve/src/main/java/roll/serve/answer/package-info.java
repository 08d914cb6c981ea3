/** Answers of OpenAI's interface, whole or as a stream. */
@NullMarked
package roll.serve.answer;

import org.jspecify.annotations.NullMarked;
