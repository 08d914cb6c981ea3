/** The dialect of OpenAI's Responses. */
@NullMarked
package roll.dialect.responses;

import org.jspecify.annotations.NullMarked;
