/** Templates parsed to nodes and expressions that run. */
@NullMarked
package roll.template.jinja.syntax;

import org.jspecify.annotations.NullMarked;
