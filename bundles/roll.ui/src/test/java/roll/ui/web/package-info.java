@NullMarked
package roll.ui.web;

import org.jspecify.annotations.NullMarked;
