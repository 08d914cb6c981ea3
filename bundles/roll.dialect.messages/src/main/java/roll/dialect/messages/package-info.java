/** The dialect of Anthropic's Messages. */
@NullMarked
package roll.dialect.messages;

import org.jspecify.annotations.NullMarked;
