package roll.grader.math_verify.compare;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A parsed answer. */
public sealed interface Term {
  /**
   * A rational number in lowest terms.
   *
   * @param bottom denominator, greater than 0
   * @param decimal whether it was written with a decimal point, which makes it an approximation
   */
  record Num(BigInteger top, BigInteger bottom, boolean decimal) implements Term {
    /** Returns an integer term. */
    static Num of(long value) {
      return new Num(BigInteger.valueOf(value), BigInteger.ONE, false);
    }

    /** Returns whether the value is exactly {@code value}. */
    boolean is(long value) {
      return bottom.equals(BigInteger.ONE) && top.equals(BigInteger.valueOf(value));
    }

    /** Returns whether the values are equal, regardless of decimal points. */
    boolean sameValue(Num other) {
      return top.equals(other.top) && bottom.equals(other.bottom);
    }
  }

  /** A symbol: a letter with its subscript, or the name of a constant such as {@code pi}. */
  record Name(String name) implements Term {}

  /** Text that is not a formula, in lower case with single spaces. */
  record Words(String text) implements Term {}

  /** An operation or a function, by its name in the computer algebra. */
  record Apply(String head, List<Term> parts) implements Term {}

  /** A term that consists of several terms, such as a set or tuple. */
  record Group(Kind kind, List<Term> items) implements Term {}

  /** A real interval of the term. */
  record Interval(Term low, Term high, boolean openLow, boolean openHigh) implements Term {}

  /** An equation, an inequality or a membership. */
  record Relation(Sign sign, Term left, Term right) implements Term {}

  /** A matrix of rows of equal length. */
  record Matrix(List<List<Term>> rows) implements Term {}

  /** Kinds of groups of the term. */
  enum Kind {
    /** Term kind: a set, in any order. */
    SET,
    /** The two values of a plus-minus sign, as two elements of an enclosing set. */
    EITHER,
    /** Term kind: a tuple, in order. */
    TUPLE,
    /** Term kind: relations that all hold. */
    AND
  }

  /** The sign of a relation, such as less than. */
  enum Sign {
    EQUAL("="),
    UNEQUAL("!= ne neq"),
    LESS("< lt"),
    LESS_EQUAL("<= le leq leqslant"),
    GREATER("> gt"),
    GREATER_EQUAL(">= ge geq geqslant"),
    IN("in"),
    ABOUT("approx");

    /** The sign as text, with its equivalent LaTeX commands. */
    private final String spellings;

    Sign(String spellings) {
      this.spellings = spellings;
    }

    /** Returns the sign {@code text}; null if it is not a relation. */
    static @Nullable Sign of(String text) {
      for (Sign sign : values()) {
        if (List.of(sign.spellings.split(" ")).contains(text)) {
          return sign;
        }
      }
      return null;
    }

    /** Returns the sign with sides exchanged. */
    Sign flipped() {
      return switch (this) {
        case LESS -> GREATER;
        case LESS_EQUAL -> GREATER_EQUAL;
        case GREATER -> LESS;
        case GREATER_EQUAL -> LESS_EQUAL;
        default -> this;
      };
    }

    /** Returns whether the sign orders its sides. */
    boolean ordered() {
      return flipped() != this;
    }
  }

  /** Returns the direct children of the term. */
  default List<Term> inside() {
    return switch (this) {
      case Num n -> List.of();
      case Name n -> List.of();
      case Words w -> List.of();
      case Apply a -> a.parts();
      case Group g -> g.items();
      case Interval i -> List.of(i.low(), i.high());
      case Relation r -> List.of(r.left(), r.right());
      case Matrix m -> m.rows().stream().flatMap(List::stream).toList();
    };
  }

  /** Returns whether this term or any descendant matches {@code such}. */
  default boolean has(Predicate<Term> such) {
    return such.test(this) || inside().stream().anyMatch(term -> term.has(such));
  }
}
