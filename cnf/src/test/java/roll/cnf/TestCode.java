package roll.cnf;

import java.io.IOException;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The JUnit tags and the calls of a compiled class. Types are named as in class files, methods
 * {@code owner.name}, without overloads.
 *
 * @param isAbstract whether JUnit ignores its tests
 * @param parents its superclass and interfaces
 * @param tags its own tags
 */
record TestCode(
    String name,
    boolean isAbstract,
    List<String> parents,
    Set<String> tags,
    Map<String, Body> methods) {
  private static final String API = "Lorg/junit/jupiter/api/";

  /**
   * The methods of one name.
   *
   * @param isTest whether JUnit runs it as a test
   * @param tags its own tags
   * @param calls the methods it calls or passes as lambdas
   */
  record Body(boolean isTest, Set<String> tags, Set<String> calls) {}

  boolean hasTests() {
    return methods.values().stream().anyMatch(Body::isTest);
  }

  /** Returns all classes below {@code folder} by name; none without that folder. */
  static Map<String, TestCode> read(Path folder) throws IOException {
    Map<String, TestCode> types = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          TestCode type = of(ClassFile.of().parse(file));
          types.put(type.name, type);
        }
      }
    }
    return types;
  }

  static TestCode of(ClassModel type) {
    List<String> parents = new ArrayList<>();
    type.superclass().ifPresent(parent -> parents.add(parent.asInternalName()));
    type.interfaces().forEach(parent -> parents.add(parent.asInternalName()));
    Map<String, Body> methods = new HashMap<>();
    for (MethodModel method : type.methods()) {
      Body body = body(method);
      methods.merge(method.methodName().stringValue(), body, TestCode::both);
    }
    return new TestCode(
        type.thisClass().asInternalName(),
        type.flags().has(AccessFlag.ABSTRACT),
        parents,
        tags(type),
        methods);
  }

  private static Body body(MethodModel method) {
    Set<String> calls = new LinkedHashSet<>();
    method.code().ifPresent(code -> code.forEach(element -> addCalls(element, calls)));
    return new Body(isTest(method), tags(method), calls);
  }

  private static Body both(Body one, Body other) {
    Set<String> calls = new LinkedHashSet<>(one.calls);
    calls.addAll(other.calls);
    Set<String> tags = new TreeSet<>(one.tags);
    tags.addAll(other.tags);
    return new Body(one.isTest || other.isTest, tags, calls);
  }

  private static void addCalls(CodeElement element, Set<String> calls) {
    switch (element) {
      case InvokeInstruction call ->
          calls.add(call.owner().asInternalName() + "." + call.name().stringValue());
      case FieldInstruction field -> calls.add(field.owner().asInternalName() + ".<clinit>");
      case InvokeDynamicInstruction lambda -> {
        for (Object argument : lambda.bootstrapArgs()) {
          if (argument instanceof DirectMethodHandleDesc handle) {
            String owner = handle.owner().descriptorString();
            calls.add(owner.substring(1, owner.length() - 1) + "." + handle.methodName());
          }
        }
      }
      default -> {}
    }
  }

  private static boolean isTest(MethodModel method) {
    return method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(found -> found.annotations().stream())
        .map(annotation -> annotation.className().stringValue())
        .anyMatch(name -> name.startsWith("Lorg/junit/jupiter/") && name.contains("Test"));
  }

  private static Set<String> tags(AttributedElement element) {
    Set<String> tags = new TreeSet<>();
    element
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .ifPresent(found -> found.annotations().forEach(each -> addTags(each, tags)));
    return tags;
  }

  /** Adds the tags in {@code Tag}, or in {@code Tags}, which holds several. */
  private static void addTags(java.lang.classfile.Annotation annotation, Set<String> tags) {
    String name = annotation.className().stringValue();
    if (!name.equals(API + "Tag;") && !name.equals(API + "Tags;")) {
      return;
    }
    for (AnnotationElement element : annotation.elements()) {
      switch (element.value()) {
        case AnnotationValue.OfString text -> tags.add(text.stringValue());
        case AnnotationValue.OfArray several -> {
          for (AnnotationValue each : several.values()) {
            if (each instanceof AnnotationValue.OfAnnotation one) {
              addTags(one.annotation(), tags);
            }
          }
        }
        default -> {}
      }
    }
  }
}
