package roll.huggingface;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Converts single characters and classes from Oniguruma's syntax to that of {@link Pattern}. */
final class RegexCharacters {
  /** Escapes with the same meaning in Java. */
  private static final Pattern SAME =
      Pattern.compile(
          "\\\\(?:[pP]\\{\\^?\\w{1,64}\\}|x\\{\\p{XDigit}{1,6}\\}|x\\p{XDigit}{2}|u\\p{XDigit}{4}"
              + "|[sSdDwWtnrf]|[^\\p{Alnum}])");

  private static final Pattern LITERAL = Pattern.compile("\\\\Q\\p{ASCII}\\\\E");

  private static final Pattern PROPERTY = Pattern.compile("\\\\([pP])\\{(\\^?)(\\w{1,64})\\}");

  private RegexCharacters() {}

  /** Returns the characters for Java, or null if their meaning might differ. */
  static @Nullable String alike(String characters) {
    String rest = characters.startsWith("\\Q") ? "" : SAME.matcher(characters).replaceAll("");
    if (rest.contains("\\") || rest.contains("[:")) {
      return null;
    }
    String read = PROPERTY.matcher(characters).replaceAll(RegexCharacters::property);
    return compiles("[" + read + "]") ? read : null;
  }

  /** Returns a Unicode property; Java prefixes the names of scripts, and has no inner negation. */
  private static String property(MatchResult found) {
    boolean negated = found.group(1).equals("P") == found.group(2).isEmpty();
    String name = compiles("\\p{" + found.group(3) + "}") ? found.group(3) : "Is" + found.group(3);
    return Matcher.quoteReplacement("\\" + (negated ? "P" : "p") + "{" + name + "}");
  }

  private static boolean compiles(String pattern) {
    try {
      Pattern.compile(pattern);
      return true;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  /** Returns whether all are single characters that exclude each other. */
  static boolean differ(List<RegexNode> options) {
    Set<String> seen = new HashSet<>();
    return options.stream()
        .allMatch(
            option ->
                option instanceof RegexNode.One one
                    && LITERAL.matcher(String.valueOf(one.characters())).matches()
                    && seen.add(String.valueOf(one.characters()).toLowerCase(Locale.ROOT)));
  }
}
