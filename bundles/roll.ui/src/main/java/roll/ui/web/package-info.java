/** Requests of the page, their answers, access control, and events. */
@NullMarked
package roll.ui.web;

import org.jspecify.annotations.NullMarked;
