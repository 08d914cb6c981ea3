package roll.cnf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The call graph of test code.
 *
 * @param types all test classes by name
 * @param apart tags of methods that do not count as part of their class
 */
record TestCalls(Map<String, TestCode> types, Set<String> apart) {
  static String owner(String method) {
    return method.substring(0, method.indexOf('.'));
  }

  static String name(String method) {
    return method.substring(method.indexOf('.') + 1);
  }

  /** Returns a class and its superclasses. */
  Stream<TestCode> family(TestCode type) {
    return Stream.concat(
        Stream.of(type),
        type.parents().stream().filter(types::containsKey).map(types::get).flatMap(this::family));
  }

  /** Returns the chain of calls from {@code test} to one of {@code ends}; empty without one. */
  List<String> way(TestCode test, Set<String> ends) {
    Map<String, String> callers = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>();
    entries(test).forEach(entry -> callers.put(entry, ""));
    open.addAll(callers.keySet());
    while (!open.isEmpty()) {
      String caller = open.remove();
      for (String call : types.get(owner(caller)).methods().get(name(caller)).calls()) {
        if (ends.contains(call)) {
          List<String> way = new ArrayList<>(List.of(shown(call)));
          for (String at = caller; !at.isEmpty(); at = callers.get(at)) {
            way.addFirst(shown(at));
          }
          return way;
        }
        for (String target : targets(test, call)) {
          if (callers.putIfAbsent(target, caller) == null) {
            open.add(target);
          }
        }
      }
    }
    return List.of();
  }

  private static String shown(String method) {
    return method.substring(method.lastIndexOf('/') + 1);
  }

  /** Returns the methods of {@code type} that are not only called by its other methods. */
  private Stream<String> entries(TestCode type) {
    Set<String> called = new HashSet<>();
    type.methods()
        .forEach(
            (name, body) ->
                body.calls().stream()
                    .filter(call -> !call.equals(type.name() + "." + name))
                    .forEach(called::add));
    return type.methods().entrySet().stream()
        .filter(method -> method.getValue().tags().stream().noneMatch(apart::contains))
        .map(method -> type.name() + "." + method.getKey())
        .filter(method -> !called.contains(method));
  }

  /**
   * Returns the possible targets of {@code call} in {@code test}: the method, overriding ones, and
   * for a constructor all methods that others may call.
   */
  private Set<String> targets(TestCode test, String call) {
    TestCode owner = types.get(owner(call));
    if (owner == null) {
      return Set.of();
    }
    String name = name(call);
    Set<String> targets =
        Stream.of(owner, family(test).anyMatch(owner::equals) ? test : owner)
            .flatMap(from -> family(from).filter(type -> type.methods().containsKey(name)).limit(1))
            .map(type -> type.name() + "." + name)
            .collect(Collectors.toCollection(TreeSet::new));
    if (owner.methods().containsKey("<clinit>")) {
      targets.add(owner.name() + ".<clinit>");
    }
    if (name.equals("<init>") && !owner.equals(test)) {
      entries(owner).forEach(targets::add);
    }
    return targets;
  }
}
