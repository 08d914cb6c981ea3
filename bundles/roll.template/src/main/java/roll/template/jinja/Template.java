package roll.template.jinja;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.template.jinja.function.GlobalFunctions;
import roll.template.jinja.syntax.Node;
import roll.template.jinja.syntax.Parser;
import roll.template.jinja.syntax.Scope;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Types;

/**
 * A template, read and ready to be rendered. Rendering follows Jinja2 with {@code trim_blocks},
 * {@code lstrip_blocks} and the loop controls, in a sandbox: a template sees the variables it is
 * given and the functions of Jinja, nothing else. Immutable; any thread may render.
 */
public final class Template {
  private final List<Node> nodes;

  private Template(List<Node> nodes) {
    this.nodes = nodes;
  }

  /**
   * Parses the Jinja template {@code source}.
   *
   * @throws TemplateException with its line if it is not written correctly
   */
  public static Template parse(String source) {
    try {
      return new Template(Parser.parse(source));
    } catch (StackOverflowError e) {
      throw new TemplateException("the template is nested too deeply");
    }
  }

  /**
   * The text that the template makes of {@code variables}: nulls, booleans, numbers, text, lists
   * and maps of these.
   *
   * @param clock tells {@code strftime_now} the time
   * @throws TemplateException with its line if the template fails or complains
   */
  public String render(Map<String, ? extends @Nullable Object> variables, Clock clock) {
    Map<String, Object> all = new HashMap<>(GlobalFunctions.all(clock));
    variables.forEach((name, value) -> all.put(name, Types.of(value)));
    StringBuilder out = new StringBuilder();
    try {
      Node.renderAll(nodes, new Scope(all).inner(), out);
    } catch (StackOverflowError e) {
      throw new TemplateException("the template calls itself too deeply");
    } catch (OutOfMemoryError e) {
      throw new TemplateException("the template makes a text that memory cannot hold");
    }
    return out.toString();
  }
}
