package roll.template.jinja.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.template.jinja.function.Filters;
import roll.template.jinja.function.JinjaTests;
import roll.template.jinja.value.Args;
import roll.template.jinja.value.Dict;
import roll.template.jinja.value.ItemAccess;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Operators;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;
import roll.template.jinja.value.Tuple;
import roll.template.jinja.value.Types;
import roll.template.jinja.value.Undefined;

/** An expression of a Jinja template. */
sealed interface Expr {
  /** Evaluates the expression in a scope. */
  Object evaluate(Scope scope);

  /** A literal in a template expression. */
  record Constant(Object value) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return value;
    }
  }

  /** A variable in a template expression. */
  record Name(String name) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return scope.get(name);
    }
  }

  /** {@code [a, b]}, or with parentheses or none a tuple. */
  record Sequence(List<Expr> items, boolean tuple) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      List<Object> values = new ArrayList<>();
      items.forEach(item -> values.add(item.evaluate(scope)));
      return tuple ? new Tuple(values) : values;
    }
  }

  /** Dict expression <code>{key: value}</code>. */
  record Mapping(List<Expr> keys, List<Expr> values) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Dict dict = new Dict();
      for (int i = 0; i < keys.size(); i++) {
        dict.put(keys.get(i).evaluate(scope), values.get(i).evaluate(scope));
      }
      return dict;
    }
  }

  /** Attribute expression {@code owner.name}. */
  record Attribute(Expr owner, String name) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return ItemAccess.attribute(owner.evaluate(scope), name);
    }
  }

  /** Item expression {@code owner[key]}. */
  record Item(Expr owner, Expr key) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return ItemAccess.item(owner.evaluate(scope), key.evaluate(scope));
    }
  }

  /** Slice expression {@code owner[from:to:step]}. */
  record Slice(Expr owner, @Nullable Expr from, @Nullable Expr to, @Nullable Expr step)
      implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return ItemAccess.slice(
          owner.evaluate(scope), bound(from, scope), bound(to, scope), bound(step, scope));
    }

    private static Object bound(@Nullable Expr expr, Scope scope) {
      return expr == null ? None.NONE : expr.evaluate(scope);
    }
  }

  /** The arguments of a call expression. */
  record Arguments(
      List<Expr> positional,
      Map<String, Expr> named,
      @Nullable Expr moreItems,
      @Nullable Expr moreNames) {
    static final Arguments NONE = new Arguments(List.of(), Map.of(), null, null);

    Args evaluate(Scope scope) {
      List<Object> items = new ArrayList<>();
      positional.forEach(item -> items.add(item.evaluate(scope)));
      Map<String, Object> names = new LinkedHashMap<>();
      named.forEach((name, value) -> names.put(name, value.evaluate(scope)));
      if (moreItems != null) {
        items.addAll(Types.list(moreItems.evaluate(scope)));
      }
      if (moreNames != null) {
        if (!(moreNames.evaluate(scope) instanceof Dict dict)) {
          throw new TemplateException("the argument after ** must be a mapping");
        }
        dict.forEach((name, value) -> names.put(Text.of(name), value));
      }
      return new Args(items, names);
    }
  }

  /** Call expression {@code function(arguments)}. */
  record Call(Expr function, Arguments arguments) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return ItemAccess.callable(function.evaluate(scope)).call(arguments.evaluate(scope));
    }
  }

  /** Filter expression {@code value|name(arguments)}. */
  record Filter(Expr value, String name, Arguments arguments) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Object filtered = value.evaluate(scope);
      return Filters.apply(name, filtered, arguments.evaluate(scope));
    }
  }

  /** Test expression {@code value is name arguments}. */
  record Test(Expr value, String name, Arguments arguments) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Object tested = value.evaluate(scope);
      return JinjaTests.apply(name, tested, arguments.evaluate(scope));
    }
  }

  /** Negation expression {@code not value}. */
  record Not(Expr value) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return !Types.truth(value.evaluate(scope));
    }
  }

  /** Sign expression {@code -value} or {@code +value}. */
  record Sign(boolean minus, Expr value) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      return Operators.sign(minus, value.evaluate(scope));
    }
  }

  /** {@code a and b}, {@code a or b}: the value of the side that decides. */
  record Logic(boolean and, Expr left, Expr right) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Object value = left.evaluate(scope);
      return Types.truth(value) == and ? right.evaluate(scope) : value;
    }
  }

  /** Binary expression such as {@code a + b}. */
  record Binary(String operator, Expr left, Expr right) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Object value = Operators.apply(operator, left.evaluate(scope), right.evaluate(scope));
      scope.spendOn(value);
      return value;
    }
  }

  /** Concatenation expression {@code a ~ b ~ c}. */
  record Concat(List<Expr> parts) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      StringBuilder text = new StringBuilder();
      for (Expr part : parts) {
        Text.allow(text.append(Text.of(part.evaluate(scope))).length());
      }
      scope.spendOn(text);
      return text.toString();
    }
  }

  /** {@code a < b <= c}: every neighboring pair compared. */
  record Comparison(Expr first, List<String> operators, List<Expr> others) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      Object left = first.evaluate(scope);
      for (int i = 0; i < operators.size(); i++) {
        Object right = others.get(i).evaluate(scope);
        if (!Operators.compare(operators.get(i), left, right)) {
          return false;
        }
        left = right;
      }
      return true;
    }
  }

  /** Conditional expression {@code yes if condition else no}. */
  record Choice(Expr condition, Expr yes, @Nullable Expr no) implements Expr {
    @Override
    public Object evaluate(Scope scope) {
      if (Types.truth(condition.evaluate(scope))) {
        return yes.evaluate(scope);
      }
      return no != null
          ? no.evaluate(scope)
          : new Undefined("the inline if-expression is false and no else section was defined");
    }
  }
}
