/** Filters, tests and functions of templates. */
@NullMarked
package roll.template.jinja.function;

import org.jspecify.annotations.NullMarked;
