/** Requests, what is answered to them, and what is refused. */
@NullMarked
package roll.ui.web;

import org.jspecify.annotations.NullMarked;
