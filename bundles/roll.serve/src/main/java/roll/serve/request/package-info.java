/** Requests of OpenAI's interface: read, checked, made prompts. */
@NullMarked
package roll.serve.request;

import org.jspecify.annotations.NullMarked;
