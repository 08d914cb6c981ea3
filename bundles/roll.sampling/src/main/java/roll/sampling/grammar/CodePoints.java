package roll.sampling.grammar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;

/** A set of Unicode characters as ascending ranges that do not touch; never of surrogates. */
record CodePoints(List<Range> ranges) {
  /** All characters. */
  static final CodePoints ALL =
      new CodePoints(List.of(new Range(0, 0xD7FF), new Range(0xE000, Character.MAX_CODE_POINT)));

  /** The characters from {@code first} to {@code last}, both included. */
  record Range(int first, int last) {}

  /** Returns the characters from {@code first} to {@code last}, without surrogates. */
  static CodePoints of(int first, int last) {
    return ALL.within(first, last);
  }

  /** Returns the characters of {@code text}. */
  static CodePoints of(String text) {
    return text.codePoints()
        .mapToObj(c -> of(c, c))
        .reduce(new CodePoints(List.of()), CodePoints::or);
  }

  /** Returns the characters of this set from {@code first} to {@code last}. */
  CodePoints within(int first, int last) {
    return new CodePoints(
        ranges.stream()
            .map(range -> new Range(Math.max(first, range.first), Math.min(last, range.last)))
            .filter(range -> range.first <= range.last)
            .toList());
  }

  /** Returns the characters of either set. */
  CodePoints or(CodePoints other) {
    List<Range> all =
        Stream.concat(ranges.stream(), other.ranges.stream())
            .sorted(Comparator.comparingInt(Range::first))
            .toList();
    List<Range> merged = new ArrayList<>();
    for (Range range : all) {
      if (merged.isEmpty() || merged.getLast().last + 1 < range.first) {
        merged.add(range);
      } else {
        Range before = merged.removeLast();
        merged.add(new Range(before.first, Math.max(before.last, range.last)));
      }
    }
    return new CodePoints(List.copyOf(merged));
  }

  /** Returns the characters that are not in this set. */
  CodePoints complement() {
    CodePoints others = new CodePoints(List.of());
    int next = 0;
    for (Range range : ranges) {
      others = others.or(of(next, range.first - 1));
      next = range.last + 1;
    }
    return others.or(of(next, Character.MAX_CODE_POINT));
  }

  /** Returns the automaton of the texts of one of these characters. */
  Automaton automaton() {
    return ranges.isEmpty()
        ? Automata.makeEmpty()
        : Automata.makeCharClass(
            ranges.stream().mapToInt(Range::first).toArray(),
            ranges.stream().mapToInt(Range::last).toArray());
  }
}
