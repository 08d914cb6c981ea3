@NullMarked
package roll.ui.metric;

import org.jspecify.annotations.NullMarked;
