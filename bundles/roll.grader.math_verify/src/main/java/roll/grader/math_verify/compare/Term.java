package roll.grader.math_verify.compare;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What an answer says, as far as it could be read. */
public sealed interface Term {
  /**
   * A rational number in lowest terms.
   *
   * @param bottom greater than 0
   * @param decimal whether it was written with a decimal point, which makes it an approximation
   */
  record Num(BigInteger top, BigInteger bottom, boolean decimal) implements Term {
    /** An integer. */
    static Num of(long value) {
      return new Num(BigInteger.valueOf(value), BigInteger.ONE, false);
    }

    /** Whether it is exactly {@code value}. */
    boolean is(long value) {
      return bottom.equals(BigInteger.ONE) && top.equals(BigInteger.valueOf(value));
    }

    /** The same number, whether or not it was written with a decimal point. */
    boolean sameValue(Num other) {
      return top.equals(other.top) && bottom.equals(other.bottom);
    }
  }

  /** A symbol: a letter with its subscript, or the name of a constant such as {@code pi}. */
  record Name(String name) implements Term {}

  /** Text that is no formula, in lower case with single spaces. */
  record Words(String text) implements Term {}

  /** An operation or a function, by the name that the computer algebra has for it. */
  record Apply(String head, List<Term> parts) implements Term {}

  /** Several things. */
  record Group(Kind kind, List<Term> items) implements Term {}

  /** A real interval. */
  record Interval(Term low, Term high, boolean openLow, boolean openHigh) implements Term {}

  /** An equation, an inequality or a membership. */
  record Relation(Sign sign, Term left, Term right) implements Term {}

  /** Rows of the same length. */
  record Matrix(List<List<Term>> rows) implements Term {}

  /** How several things belong together. */
  enum Kind {
    /** In any order. */
    SET,
    /** What a plus-minus sign makes of a term; in a set they are two of its elements. */
    EITHER,
    /** In this order. */
    TUPLE,
    /** All of these relations hold. */
    AND
  }

  /** What a relation says. */
  enum Sign {
    EQUAL("="),
    UNEQUAL("!= ne neq"),
    LESS("< lt"),
    LESS_EQUAL("<= le leq leqslant"),
    GREATER("> gt"),
    GREATER_EQUAL(">= ge geq geqslant"),
    IN("in"),
    ABOUT("approx");

    /** The sign, and the commands that are written instead of it. */
    private final String spellings;

    Sign(String spellings) {
      this.spellings = spellings;
    }

    /** What the sign or the command {@code text} says; null for no relation. */
    static @Nullable Sign of(String text) {
      for (Sign sign : values()) {
        if (List.of(sign.spellings.split(" ")).contains(text)) {
          return sign;
        }
      }
      return null;
    }

    /** What it says with its sides exchanged. */
    Sign flipped() {
      return switch (this) {
        case LESS -> GREATER;
        case LESS_EQUAL -> GREATER_EQUAL;
        case GREATER -> LESS;
        case GREATER_EQUAL -> LESS_EQUAL;
        default -> this;
      };
    }

    /** Whether the sides are ordered by it. */
    boolean ordered() {
      return flipped() != this;
    }
  }

  /** The terms inside this one, one level down. */
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

  /** Whether this or a term inside it, at any depth, is such a one. */
  default boolean has(Predicate<Term> such) {
    return such.test(this) || inside().stream().anyMatch(term -> term.has(such));
  }
}
