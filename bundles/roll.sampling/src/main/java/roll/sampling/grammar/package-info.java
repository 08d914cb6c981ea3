/** Texts that a response may be: regular expressions and JSON schemas as automata over bytes. */
@NullMarked
package roll.sampling.grammar;

import org.jspecify.annotations.NullMarked;
