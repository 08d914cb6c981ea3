/**
 * Jinja templates as Python's Jinja2 renders them in the environment that Hugging Face transformers
 * sets up for chat templates. Values are Python's: {@link None} for {@code None}, {@link Boolean},
 * {@link Long} and {@link java.math.BigInteger} for {@code int}, {@link Double} for {@code float},
 * {@link String} and {@link Markup} for {@code str}, {@link java.util.List} for {@code list},
 * {@link Tuple}, {@link Dict}; no other Java object is ever seen by a template.
 */
@NullMarked
package roll.template.jinja;

import org.jspecify.annotations.NullMarked;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.Markup;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Tuple;
