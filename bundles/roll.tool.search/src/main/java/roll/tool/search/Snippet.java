package roll.tool.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/**
 * Selects the part of a text with the most different words of a query, the first among equals. A
 * short text is returned whole.
 */
final class Snippet {
  private final Analyzer analyzer;
  private final Set<String> terms;
  private final int length;

  /** A word of the query in the text. */
  private record Hit(String term, int start) {}

  /**
   * Creates a selector of snippets for one query.
   *
   * @param terms stems of the query
   * @param length maximum characters, without the dots at a cut
   */
  Snippet(Analyzer analyzer, Set<String> terms, int length) {
    this.analyzer = analyzer;
    this.terms = terms;
    this.length = length;
  }

  /** Returns the selected part of {@code text} as a snippet in one line. */
  String of(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    if (line.length() <= length) {
      return line;
    }
    int start = Math.min(start(line), line.length() - length);
    start = start == 0 ? 0 : wordAt(line, start);
    int end = Math.min(line.length(), start + length);
    if (end < line.length()) {
      int space = line.lastIndexOf(' ', end);
      end = space > start ? space : whole(line, end);
    }
    return (start > 0 ? "…" : "") + line.substring(start, end) + (end < line.length() ? "…" : "");
  }

  /** Returns the start of the word at {@code from}, if it is near. */
  private static int wordAt(String line, int from) {
    int space = line.lastIndexOf(' ', from);
    return space >= from - 40 ? space + 1 : whole(line, from);
  }

  /** Returns the index {@code at}, moved out of a surrogate pair. */
  private static int whole(String line, int at) {
    return Character.isLowSurrogate(line.charAt(at)) ? at - 1 : at;
  }

  private int start(String line) {
    List<Hit> hits = hits(line);
    int best = 0;
    int most = 0;
    for (int i = 0; i < hits.size(); i++) {
      int start = hits.get(i).start();
      Set<String> seen = new HashSet<>();
      for (int j = i; j < hits.size() && hits.get(j).start() < start + length; j++) {
        seen.add(hits.get(j).term());
        if (seen.size() == terms.size()) {
          break;
        }
      }
      if (seen.size() > most) {
        most = seen.size();
        best = start;
      }
    }
    return best;
  }

  private List<Hit> hits(String line) {
    List<Hit> hits = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream("contents", line)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      OffsetAttribute offset = tokens.addAttribute(OffsetAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        if (terms.contains(term.toString())) {
          hits.add(new Hit(term.toString(), offset.startOffset()));
        }
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return hits;
  }
}
