/** Values of templates: their types, text, methods and operators, as Python has them. */
@NullMarked
package roll.template.jinja.value;

import org.jspecify.annotations.NullMarked;
