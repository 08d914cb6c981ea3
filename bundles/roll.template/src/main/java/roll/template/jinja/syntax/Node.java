package roll.template.jinja.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.template.jinja.function.Filters;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.ItemAccess;
import roll.template.jinja.value.LoopVariable;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Types;

/** A statement of a template, or text between statements. */
public sealed interface Node {
  /** The control flow after a node. */
  enum Flow {
    /** Control flow: with the next statement. */
    NEXT,
    /** Control flow: behind the loop. */
    BREAK,
    /** With the next item of the loop. */
    CONTINUE
  }

  /** Returns the node's line, from 1. */
  int line();

  /** Appends the rendered text of the statement to {@code out}. */
  Flow render(Scope scope, StringBuilder out);

  /** Renders {@code nodes} up to the first that leaves the loop or its iteration. */
  static Flow renderAll(List<Node> nodes, Scope scope, StringBuilder out) {
    for (Node node : nodes) {
      try {
        Flow flow = node.render(scope, out);
        Text.allow(out.length());
        if (flow != Flow.NEXT) {
          return flow;
        }
      } catch (TemplateException e) {
        throw e.at(node.line());
      }
    }
    return Flow.NEXT;
  }

  /** Renders {@code nodes} in a new scope. */
  private static String text(List<Node> nodes, Scope scope) {
    StringBuilder out = new StringBuilder();
    renderAll(nodes, scope.inner(), out);
    return out.toString();
  }

  /** Template text outside of tags, which is output unchanged. */
  record Data(int line, String text) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      out.append(text);
      return Flow.NEXT;
    }
  }

  /** Print statement <code>{{ value }}</code>. */
  record Print(int line, Expr value) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      out.append(Text.of(value.evaluate(scope)));
      return Flow.NEXT;
    }
  }

  /** Statement {@code if}, with its {@code elif} and {@code else} branches. */
  record If(int line, Expr condition, List<Node> then, List<Node> otherwise) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      return renderAll(Types.truth(condition.evaluate(scope)) ? then : otherwise, scope, out);
    }
  }

  /**
   * Statement {@code for}; every iteration has a scope of its own. As in Jinja2 the {@code else}
   * part follows if no turn was completed, be it that each was left by {@code continue}.
   */
  record For(
      int line,
      Target target,
      Expr items,
      @Nullable Expr condition,
      List<Node> body,
      List<Node> otherwise,
      boolean recursive)
      implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      render(items.evaluate(scope), 0, scope, out);
      return Flow.NEXT;
    }

    private void render(Object value, int depth, Scope scope, StringBuilder out) {
      List<Object> chosen = chosen(value, scope);
      boolean completed = false;
      LoopVariable loop =
          new LoopVariable(chosen, depth, recursive ? (v, d) -> within(v, d, scope) : null);
      for (int i = 0; i < chosen.size(); i++) {
        Scope turn = scope.inner();
        loop.moveTo(i);
        turn.set("loop", loop);
        target.assign(turn, chosen.get(i));
        Flow flow = renderAll(body, turn, out);
        completed |= flow == Flow.NEXT;
        if (flow == Flow.BREAK) {
          break;
        }
      }
      if (!completed) {
        renderAll(otherwise, scope.inner(), out);
      }
    }

    private List<Object> chosen(Object value, Scope scope) {
      List<Object> all = Types.list(value);
      scope.spend(all.size());
      if (condition == null) {
        return all;
      }
      List<Object> chosen = new ArrayList<>();
      for (Object item : all) {
        Scope turn = scope.inner();
        target.assign(turn, item);
        if (Types.truth(condition.evaluate(turn))) {
          chosen.add(item);
        }
      }
      return chosen;
    }

    private String within(Object value, int depth, Scope scope) {
      StringBuilder out = new StringBuilder();
      render(value, depth, scope, out);
      return out.toString();
    }
  }

  /** Statement {@code break} or {@code continue}. */
  record Leave(int line, Flow flow) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      return flow;
    }
  }

  /** Statement {@code set target = value}. */
  record Assign(int line, Target target, Expr value) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      target.assign(scope, value.evaluate(scope));
      return Flow.NEXT;
    }
  }

  /** Block statement {@code set target} up to {@code endset}, which assigns the rendered body. */
  record AssignBlock(int line, Target target, FilterChain filters, List<Node> body)
      implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      target.assign(scope, filters.apply(text(body, scope), scope));
      return Flow.NEXT;
    }
  }

  /** A block of text that filters change. */
  record FilterBlock(int line, FilterChain filters, List<Node> body) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      out.append(Text.of(filters.apply(text(body, scope), scope)));
      return Flow.NEXT;
    }
  }

  /** Filters that are applied one after another. */
  record FilterChain(List<String> names, List<Expr.Arguments> arguments) {
    Object apply(Object value, Scope scope) {
      Object result = value;
      for (int i = 0; i < names.size(); i++) {
        result = Filters.apply(names.get(i), result, arguments.get(i).evaluate(scope));
      }
      return result;
    }
  }

  /** {@code with}: variables for the body alone. */
  record With(int line, List<Target> targets, List<Expr> values, List<Node> body) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      Scope inner = scope.inner();
      for (int i = 0; i < targets.size(); i++) {
        targets.get(i).assign(inner, values.get(i).evaluate(scope));
      }
      return renderAll(body, inner, out);
    }
  }

  /** Statement {@code generation}: marks the assistant's text, and changes nothing. */
  record Generation(int line, List<Node> body) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      return renderAll(body, scope.inner(), out);
    }
  }

  /** The definition of a macro or call block. */
  record Body(
      String name,
      List<String> parameters,
      List<Expr> defaults,
      Set<String> free,
      List<Node> nodes) {
    Macro in(Scope scope) {
      return new Macro(name, parameters, defaults, free, nodes, scope);
    }
  }

  /** Statement {@code macro}. */
  record Definition(int line, Body macro) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      scope.set(macro.name(), macro.in(scope));
      return Flow.NEXT;
    }
  }

  /** {@code call}: calls a macro that can call the block's body. */
  record CallBlock(int line, Expr.Call call, Body caller) implements Node {
    @Override
    public Flow render(Scope scope, StringBuilder out) {
      Args args = call.arguments().evaluate(scope).with("caller", caller.in(scope));
      Object result = ItemAccess.callable(call.function().evaluate(scope)).call(args);
      out.append(Text.of(result));
      return Flow.NEXT;
    }
  }
}
