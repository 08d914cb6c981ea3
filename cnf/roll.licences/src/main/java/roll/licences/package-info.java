/** What a jar carries of others, found out from the jar itself, and what their licenses ask for. */
@NullMarked
package roll.licences;

import org.jspecify.annotations.NullMarked;
